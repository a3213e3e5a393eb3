/** Reads the type and the size of a picture from its bytes, without decoding it. */

export interface PictureHeader {
  type: 'jpg' | 'png' | 'webp';
  /** In pixels. */
  width: number;
  height: number;
}

/** The largest width and height in pixels: what browsers of phones decode. */
const maxSide = 4096;

/**
 * Returns the header of a JPEG, PNG or WebP file; undefined for anything else, for a file that was cut off or has
 * more behind its end, and for one that is too large.
 */
export function readPictureHeader(bytes: Buffer): PictureHeader | undefined {
  const header = readJpeg(bytes) ?? readPng(bytes) ?? readWebp(bytes);
  if (!header) return undefined;
  const fits = [header.width, header.height].every((side) => side >= 1 && side <= maxSide);
  return fits ? header : undefined;
}

/** The segments up to the frame header (ITU T.81, annex B). */
function readJpeg(bytes: Buffer): PictureHeader | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  if (bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    // A byte that fills up.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // The scan would begin before its frame; restarts and ends have no length.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xda)) return undefined;
    const isFrame = marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) {
      return { type: 'jpg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return undefined;
}

const pngStart = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const pngEnd = Buffer.from('0000000049454e44ae426082', 'hex');

function readPng(bytes: Buffer): PictureHeader | undefined {
  const isPng =
    bytes.length > 40 &&
    bytes.subarray(0, 16).equals(pngStart) &&
    bytes.subarray(-12).equals(pngEnd);
  if (!isPng) return undefined;
  return { type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** The three formats of the first chunk (RFC 9649). */
function readWebp(bytes: Buffer): PictureHeader | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return undefined;
  switch (bytes.toString('latin1', 8, 16)) {
    case 'WEBPVP8 ':
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined;
      return {
        type: 'webp',
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
      };
    case 'WEBPVP8L': {
      if (bytes[20] !== 0x2f) return undefined;
      const sides = bytes.readUInt32LE(21);
      return { type: 'webp', width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 };
    }
    case 'WEBPVP8X':
      return {
        type: 'webp',
        width: bytes.readUIntLE(24, 3) + 1,
        height: bytes.readUIntLE(27, 3) + 1,
      };
    default:
      return undefined;
  }
}
