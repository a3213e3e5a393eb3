/** Each storage error maps to one sentence that says what the owner can do. */
import { expect, it } from 'vitest';
import { databaseUnavailable } from '../errors.ts';
import { errorResponseOf, sentenceOf } from '../trpc/errors.ts';
import { storageErrorSentence } from './storage-errors.ts';

const withCode = (code: string, message = 'original message') =>
  Object.assign(new Error(message), { code });

it.each([
  ['SQLITE_CORRUPT', /damaged.*Restore a backup/],
  ['SQLITE_READONLY', /cannot be written/],
  ['SQLITE_READONLY_DBMOVED', /moved, deleted or overwritten.*Put it back/],
  ['SQLITE_BUSY', /has locked the database/],
  ['SQLITE_FULL', /disk is full/],
  ['ENOSPC', /disk is full/],
  ['SQLITE_IOERR', /cannot be read or written/],
])('storageErrorSentence explains the SQLite or disk error %s', (code, sentence) => {
  expect(storageErrorSentence(withCode(code))).toMatch(sentence);
});

it.each([
  ['28P01', /rejects the user or the password/],
  ['28000', /rejects connections of this user.*sslmode=verify-full/],
  ['42P05', /pooler .* session mode/],
  ['26000', /pooler .* session mode/],
  ['3D000', /does not exist.*Create it/],
  ['42501', /lacks a permission/],
  ['53100', /disk .* is full/],
  ['53200', /run out of memory/],
  ['53300', /no connection left/],
  ['25006', /is read-only/],
  ['55P03', /is locked/],
  ['40P01', /is locked/],
  ['57014', /timed out/],
  ['57P01', /starting or stopping/],
  ['57P02', /starting or stopping/],
  ['57P03', /starting or stopping/],
  ['58030', /its disk/],
  ['XX001', /damaged/],
  ['ECONNREFUSED', /No database responds/],
  ['ENOTFOUND', /host .* does not exist/],
  ['ETIMEDOUT', /does not respond/],
  ['ENOENT', /sslrootcert.* does not exist/],
  ['ECONNRESET', /was lost \(ECONNRESET\)/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /certificate .* sslrootcert/],
])('storageErrorSentence explains the PostgreSQL error %s', (code, sentence) => {
  const explanation = storageErrorSentence(databaseUnavailable(withCode(code)));
  expect(explanation).toMatch(sentence);
  expect(explanation).toMatch(/DATABASE_URL/);
});

it.each([
  ['Query read timeout', /does not respond/],
  ['timeout exceeded when trying to connect', /does not respond/],
  ['Connection terminated due to connection timeout', /does not respond/],
  ['The server does not support SSL connections', /does not support TLS/],
  ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', /requires a password/],
  ['Connection terminated unexpectedly', /was lost \(Connection terminated unexpectedly\)/],
])('storageErrorSentence explains the driver error %s', (message, sentence) => {
  expect(storageErrorSentence(databaseUnavailable(new Error(message)))).toMatch(sentence);
});

it('a storage error thrown by a procedure returns 503 with Retry-After', () => {
  const thrown = new Error('wrapped', { cause: databaseUnavailable(withCode('53300')) });
  expect(storageErrorSentence(thrown)).toMatch(/no connection left/);
  const message = sentenceOf('STORAGE_UNAVAILABLE');
  expect(errorResponseOf(thrown)).toEqual({
    status: 503,
    message,
    code: 'STORAGE_UNAVAILABLE',
    retryAfter: 60,
  });
});

it.each([
  ['an unexpected error', new Error('no')],
  ['a SQL syntax error', withCode('42601')],
  ['a refused connection to another host', withCode('ECONNREFUSED')],
  ['undefined', undefined],
])('storageErrorSentence returns undefined for %s', (_, error) => {
  expect(storageErrorSentence(error)).toBeUndefined();
});
