/** For tests: a local DNS server with a few records. */
import { createSocket } from 'node:dgram';
import { promises } from 'node:dns';

const types = { MX: 15, TXT: 16 } as const;

/** Records by type and name (`MX example.com`): the text of a TXT record, the host of an MX record. */
export type Zone = Record<string, string[]>;

export interface TestDns {
  /** Queries only this server. */
  resolver: promises.Resolver;
  close(): Promise<void>;
}

/** Responds from `zone`, and with NXDOMAIN to other names. Without a zone it never responds. */
export async function openTestDns(zone?: Zone): Promise<TestDns> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    if (zone) socket.send(responseTo(query, zone), port, address);
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  const resolver = new promises.Resolver({ timeout: zone ? 20_000 : 300, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return { resolver, close: () => new Promise((closed) => socket.close(() => closed())) };
}

/** The response to a query with one question, in the format of RFC 1035, section 4. */
function responseTo(query: Buffer, zone: Zone): Buffer {
  const labels: string[] = [];
  let at = 12;
  while (query[at]) {
    const length = query[at] ?? 0;
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  const isMx = type === types.MX;
  const records = zone[`${isMx ? 'MX' : 'TXT'} ${labels.join('.').toLowerCase()}`] ?? [];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  // A response with recursion available; response code 3 is NXDOMAIN.
  header.writeUInt16BE(records.length > 0 ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  const answers = records.map((record) => {
    const data = isMx ? Buffer.concat([Buffer.from([0, 10]), nameOf(record)]) : textOf(record);
    const head = Buffer.alloc(12);
    // A pointer to the name in the question (section 4.1.4).
    head.writeUInt16BE(0xc00c, 0);
    head.writeUInt16BE(type, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(data.length, 10);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([header, query.subarray(12, at + 5), ...answers]);
}

const nameOf = (host: string) =>
  Buffer.concat([...host.split('.').map(lengthPrefixed), Buffer.from([0])]);

/** A text as strings of at most 255 bytes. */
const textOf = (text: string) =>
  Buffer.concat((text.match(/.{1,255}/gs) ?? []).map(lengthPrefixed));

const lengthPrefixed = (text: string) =>
  Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
