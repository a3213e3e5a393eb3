/** Whatever is wrong with the place of storage is one sentence for its owner, who knows what to do then. */
import { expect, it } from 'vitest';
import { DatabaseUnavailable } from '../database/database.ts';
import { codes, errorResponseOf, sentences } from '../trpc/errors.ts';
import { storageErrorSentence } from './storage-errors.ts';

const withCode = (code: string, message = 'its own words') =>
  Object.assign(new Error(message), { code });

it.each([
  ['SQLITE_CORRUPT', /damaged.*restore a backup/],
  ['SQLITE_READONLY', /cannot be written/],
  ['SQLITE_READONLY_DBMOVED', /moved or deleted.*put it back/],
  ['SQLITE_BUSY', /keeps the database busy/],
  ['SQLITE_FULL', /disk is full/],
  ['ENOSPC', /disk is full/],
  ['SQLITE_IOERR', /fails to read or write/],
])('says of the file: %s', (code, sentence) => {
  expect(storageErrorSentence(withCode(code))).toMatch(sentence);
});

it.each([
  ['28P01', /refuses the user or the password/],
  ['28000', /does not let this user in.*sslmode=verify-full/],
  ['42P05', /a pooler .* session mode/],
  ['26000', /a pooler .* session mode/],
  ['3D000', /does not exist.*create it/],
  ['42501', /may not do this/],
  ['53100', /disk .* is full/],
  ['53200', /no room left/],
  ['53300', /no connection left/],
  ['25006', /can only be read/],
  ['55P03', /keeps .* busy/],
  ['40P01', /keeps .* busy/],
  ['57014', /takes too long/],
  ['57P01', /starts or stops/],
  ['57P03', /starts or stops/],
  ['58030', /its disk/],
  ['XX001', /damaged/],
  ['ECONNREFUSED', /No database answers/],
  ['ENOTFOUND', /host .* does not exist/],
  ['ETIMEDOUT', /does not answer/],
  ['ENOENT', /sslrootcert.* does not exist/],
  ['ECONNRESET', /was lost \(ECONNRESET\)/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /certificate .* sslrootcert/],
])('says of the server: %s', (code, sentence) => {
  const fault = storageErrorSentence(new DatabaseUnavailable(withCode(code)));
  expect(fault).toMatch(sentence);
  expect(fault).toMatch(/DATABASE_URL/);
});

it.each([
  ['Query read timeout', /does not answer/],
  ['timeout exceeded when trying to connect', /does not answer/],
  ['Connection terminated due to connection timeout', /does not answer/],
  ['The server does not support SSL connections', /does not encrypt/],
  [
    'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
    /asks for a password, and its address has none/,
  ],
  ['Connection terminated unexpectedly', /was lost \(Connection terminated unexpectedly\)/],
])('says of what the driver finds out itself: %s', (message, sentence) => {
  expect(storageErrorSentence(new DatabaseUnavailable(new Error(message)))).toMatch(sentence);
});

it('finds it beneath what a procedure throws, and asks the visitor to come again', () => {
  const thrown = new Error('wrapped', { cause: new DatabaseUnavailable(withCode('53300')) });
  expect(storageErrorSentence(thrown)).toMatch(/no connection left/);
  const { notNow: message } = sentences;
  expect(errorResponseOf(thrown)).toEqual({
    status: 503,
    message,
    code: codes.notNow,
    retryAfter: 60,
  });
});

it.each([
  ['a mistake of ours', new Error('no')],
  ['a mistake of ours in SQL', withCode('42601')],
  ['a host that is away, but not the database', withCode('ECONNREFUSED')],
  ['nothing at all', undefined],
])('says nothing of %s', (_, error) => {
  expect(storageErrorSentence(error)).toBeUndefined();
});
