import { beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { fetchOk, HttpError } from './http.ts';

let fetched: MockInstance<typeof fetch>;
beforeEach(() => {
  fetched = vi.spyOn(globalThis, 'fetch');
});

const failure = (response: Response) => {
  fetched.mockResolvedValue(response);
  return fetchOk('/api/x').catch((error: unknown) => error);
};

describe('fetchOk', () => {
  it('fetchOk sends cookies and returns the response', async () => {
    const response = new Response('yes');
    fetched.mockResolvedValue(response);
    expect(await fetchOk('/api/x', { method: 'POST' })).toBe(response);
    expect(fetched).toHaveBeenCalledWith('/api/x', { credentials: 'include', method: 'POST' });
  });

  it('fetchOk throws `status: body` for an error response', async () => {
    const error = await failure(
      Response.json({ error: 'Try later.', code: 'LATER' }, { status: 503 }),
    );
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({
      message: '503: {"error":"Try later.","code":"LATER"}',
      status: 503,
      sentence: 'Try later.',
      code: 'LATER',
    });
  });

  it('fetchOk throws `status: status text` when the body is empty', async () => {
    const error = await failure(new Response('', { status: 502, statusText: 'Bad Gateway' }));
    expect(error).toMatchObject({ message: '502: Bad Gateway', sentence: undefined });
  });

  it('fetchOk throws `status: status text` when reading the body fails', async () => {
    const broken = new Response('', { status: 500, statusText: 'Internal Server Error' });
    vi.spyOn(broken, 'text').mockRejectedValue(new TypeError('terminated'));
    expect(await failure(broken)).toMatchObject({
      message: '500: Internal Server Error',
      status: 500,
    });
  });

  it.each(['<h1>Bad Gateway</h1>', '{"error":7}', 'null', '"text"', '[]'])(
    'HttpError has no sentence and no code for the body %s',
    async (body) => {
      expect(await failure(new Response(body, { status: 500 }))).toMatchObject({
        sentence: undefined,
        code: undefined,
      });
    },
  );
});
