/** Loads a bundled engine and says on stderr how many errors that built: `load_main.ts ENGINE`. */
const [own, say] = [Error, console.error];
let built = 0;
globalThis.Error = new Proxy(own, {
  construct(target, given, made) {
    built++;
    return Reflect.construct(target, given, made) as Error;
  },
});
await import(Deno.args[0]);
say(`${built}`);
