/** Encrypts what the site stores of its connections, so that a copy of the database reveals none of them. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ivLength = 12;
const tagLength = 16;

export type Encryption = ReturnType<typeof createEncryption>;

/**
 * Creates the functions that encrypt and decrypt (AES-256-GCM).
 *
 * @param secrets those that sign sessions: the first one encrypts, all decrypt. They are read with the first use: a
 * site without connections needs none.
 */
export function createEncryption(secrets: () => readonly string[]) {
  let keys: readonly Buffer[] | undefined;
  const ensureKeys = () => {
    keys ??= secrets().map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', 'shingle connections', 32)),
    );
    return keys;
  };
  return {
    /** Encrypts a text. `name` must be the same when it is decrypted. */
    encrypt(name: string, text: string): Buffer {
      const [newest = Buffer.alloc(0)] = ensureKeys();
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv('aes-256-gcm', newest, iv).setAAD(Buffer.from(name));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },

    /** The text, and whether the first secret encrypted it; undefined when no secret did, or when it is damaged. */
    decrypt(name: string, bytes: Uint8Array): { text: string; isCurrent: boolean } | undefined {
      const all = ensureKeys();
      for (const key of all) {
        try {
          const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivLength), {
            authTagLength: tagLength,
          })
            .setAAD(Buffer.from(name))
            .setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
          const body = bytes.subarray(ivLength + tagLength);
          const text = decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
          return { text, isCurrent: key === all[0] };
        } catch {
          // Another secret may have encrypted it.
        }
      }
      return undefined;
    },
  };
}
