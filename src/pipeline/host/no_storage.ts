/** Takes the web's storage away, which no permission guards. Imported before any stage's code. */

for (const name of ["localStorage", "sessionStorage", "caches", "CacheStorage", "Cache"]) {
  Reflect.deleteProperty(globalThis, name);
}

export {};
