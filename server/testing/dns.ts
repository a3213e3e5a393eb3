/** For tests: a name server on this machine that knows a few records. */
import { createSocket } from 'node:dgram';
import { promises } from 'node:dns';

const types = { MX: 15, TXT: 16 } as const;

/** Records by `TYPE name`; a TXT record is its text, an MX record its host. */
export type Zone = Record<string, string[]>;

export interface TestDns {
  /** Asks this server alone. */
  resolver: promises.Resolver;
  close(): Promise<void>;
}

/** Answers from `zone`; says of every other name that it does not exist. Without a zone, never. */
export async function openTestDns(zone?: Zone): Promise<TestDns> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    if (zone) socket.send(answerTo(question, zone), port, address);
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  const resolver = new promises.Resolver({ timeout: 300, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return { resolver, close: () => new Promise((closed) => socket.close(() => closed())) };
}

/** RFC 1035, section 4: one question in, its records out. */
function answerTo(question: Buffer, zone: Zone): Buffer {
  const labels: string[] = [];
  let at = 12;
  while (question[at]) {
    const length = question[at] ?? 0;
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = question.readUInt16BE(at + 1);
  const isMx = type === types.MX;
  const records = zone[`${isMx ? 'MX' : 'TXT'} ${labels.join('.').toLowerCase()}`] ?? [];
  const header = Buffer.alloc(12);
  question.copy(header, 0, 0, 2);
  // An answer with recursion; code 3 is "no such name".
  header.writeUInt16BE(records.length > 0 ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  const answers = records.map((record) => {
    const data = isMx ? Buffer.concat([Buffer.from([0, 10]), nameOf(record)]) : textOf(record);
    const head = Buffer.alloc(12);
    // The name is the question's own.
    head.writeUInt16BE(0xc00c, 0);
    head.writeUInt16BE(type, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(data.length, 10);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([header, question.subarray(12, at + 5), ...answers]);
}

const nameOf = (host: string) => Buffer.concat([...host.split('.').map(counted), Buffer.from([0])]);

/** A text in pieces of at most 255 bytes. */
const textOf = (text: string) => Buffer.concat((text.match(/.{1,255}/gs) ?? []).map(counted));

const counted = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
