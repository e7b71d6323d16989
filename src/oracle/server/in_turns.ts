/** Answers to many questions, so many of which are under way at a time. */

/**
 * Answers in the order of items; the next one begins when one has ended.
 *
 * @param most Under way at a time.
 */
export async function inTurns<T, R>(
  most: number,
  items: readonly T[],
  answer: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const answers = new Array<R>(items.length);
  let next = 0;
  const work = async () => {
    for (let i = next++; i < items.length; i = next++) answers[i] = await answer(items[i], i);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
  return answers;
}
