import { localOrigin } from '../app/local-origin.ts';
import { createLinkToken } from '../auth/sign-in-link.ts';
import { readEnv } from '../env.ts';
import { AppError } from '../errors.ts';
import { type Command, parse, printLine, withStores } from './command.ts';

export const signInLink: Command = {
  name: 'sign-in-link',
  usage: '',
  summary: 'Prints a link that signs you in once, within 15 minutes, without the password.',
  details: [
    'It also works while too many password attempts are being refused. A new link, a new password and',
    'sessions --end-all invalidate it. Keep the link secret: it signs in anyone who opens it.',
  ],

  async run(args, io) {
    parse({ args, options: {} });
    const { PUBLIC_URL, HOST, PORT } = readEnv(io.env);
    const token = await withStores(io, ({ auth }) => createLinkToken(auth, io.now()));
    if (token === undefined) {
      throw new AppError(
        'COMMAND_FAILED',
        'The site has no password yet. Please start it once: npm start',
      );
    }
    // Browsers do not send the fragment (#…) of a URL, so servers and proxies cannot log the token.
    printLine(io.stdout, `${PUBLIC_URL ?? localOrigin(HOST, PORT)}/admin#sign-in=${token}`);
    printLine(io.stderr, 'Open this link in your browser within 15 minutes. It works once.');
  },
};
