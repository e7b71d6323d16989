/** Fields of protocol buffers, written into bytes that grow. */

/** Bytes that grow, with fields of protocol buffers. */
export class ProtoBytes {
  #bytes = new Uint8Array(1 << 16);
  #at = 0;

  taken(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }

  /** A message within one; shorter than 128 bytes, as tags are, its length is moved in at once. */
  nested(field: number, write: () => void): void {
    this.#tag(field, 2);
    const start = this.#at;
    write();
    const length = this.#at - start;
    const size = length < 128 ? 1 : length < 16_384 ? 2 : 3;
    this.#room(size);
    this.#bytes.copyWithin(start + size, start, this.#at);
    this.#at = start;
    this.#number(length);
    this.#at += length;
  }

  text(field: number, text: string): void {
    const bytes = encode(text);
    this.#tag(field, 2);
    this.#number(bytes.length);
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  varint(field: number, value: number): void {
    this.#tag(field, 0);
    this.#number(value);
  }

  #tag(field: number, wire: number): void {
    this.#number(field * 8 + wire);
  }

  #number(value: number): void {
    this.#room(10);
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[this.#at++] = rest % 128 + 128;
    this.#bytes[this.#at++] = rest;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * this.#bytes.length + bytes);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

const known = new Map<string, Uint8Array>();

/** Tags repeat: each is encoded once. */
function encode(text: string): Uint8Array {
  const found = known.get(text) ?? new TextEncoder().encode(text);
  known.set(text, found);
  return found;
}
