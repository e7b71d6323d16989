/** Name of the environment of questions about data sets, in artifacts and messages. */
export const questionsKind = "questions";
