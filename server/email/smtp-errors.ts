/** What a person can do about an error of a mail server. */

const limit =
  'Your mail provider accepts no more emails for now, mostly because its limit is reached. They are sent ' +
  'later by themselves. If this happens often, take a larger plan or another provider.';

const login = 'The mail server sends only after a login. Enter a user and a password for it.';

const sender =
  'The mail server does not send from this address. Choose one that your provider lets you send from; ' +
  'most want it, or its domain, to be verified first.';

const domain =
  'The domain that you send from is not authenticated. Under Settings, check links and mail domain: it ' +
  'names the missing SPF, DKIM and DMARC records.';

const recipient =
  'The mail server does not know the recipient. Check the address that your emails go to; a visitor may have ' +
  'mistyped theirs.';

const blocklist =
  'The address of your mail server is on a blocklist. Ask your mail provider to have it removed, or send ' +
  'through another provider.';

const later = 'The mail server asks to try again later, which happens by itself.';

/** Patterns of an error as `DeliveryResult` has it, the most specific first, and what to do. */
const sentences: readonly [pattern: RegExp, sentence: string][] = [
  [/Missing credentials/, 'The mail server has a user and no password. Enter both.'],
  [
    /\b53[45][ -]5\.7\.9\b|application-specific/i,
    'Your provider wants an app password, not the password of your account. Create one in the security ' +
      'settings of your account (Google: App passwords) and enter it instead.',
  ],
  [
    /5\.7\.139\b|basic auth|SmtpClientAuthentication/i,
    'Microsoft has switched off login by password for this mailbox. Ask its administrator to allow ' +
      'Authenticated SMTP for it, or send through another provider.',
  ],
  [
    /must issue a STARTTLS|STARTTLS (is )?required|encryption required/i,
    'The mail server wants an encrypted connection. Use its full name instead of localhost, or ' +
      'TLS with port 465.',
  ],
  [/^EAUTH: .*: 4\d\d\b/, later],
  [
    /^EAUTH: /,
    'The mail server rejects the user or the password. Copy both again from your provider.',
  ],
  [
    /with STARTTLS|does not support required STARTTLS/,
    'The mail server offers no encryption at this port, so nothing was sent. Use TLS with port ' +
      '465, or STARTTLS with port 587.',
  ],
  [
    /certificate has expired/,
    'The certificate of the mail server has expired. Ask whoever runs it to renew it.',
  ],
  [
    /does not match certificate/,
    'The certificate of the mail server is for another name. Use the name that your provider states, not an ' +
      'IP address or an alias.',
  ],
  [
    /self-signed certificate|unable to (get|verify)/,
    'The certificate of the mail server is self-signed or from an unknown authority. Check its name. If ' +
      'the server is yours, give it one of a public authority, such as Let’s Encrypt.',
  ],
  [
    /wrong version number|packet length too long/,
    'This port starts without encryption. Use STARTTLS with port 587 or 2525, and TLS only with ' +
      'port 465.',
  ],
  [
    /Greeting never received/,
    'The mail server does not greet. Use TLS with port 465, STARTTLS with port 587 or 2525. If ' +
      'they are right, your hosting provider may block the port: ask there.',
  ],
  [
    /ECONNREFUSED/,
    'Nothing accepts emails at this host and port. Check both: TLS has port 465, STARTTLS port 587.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|EBADNAME|ENODATA|^EDNS/,
    'The name of the mail server was not found. Check its spelling.',
  ],
  [
    /Connection closed unexpectedly/,
    'The mail server closed the connection. If it does so again, check its name and port.',
  ],
  [
    /^ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    'The mail server does not answer. Many hosting providers block ports 25, 465 and 587: ask yours, or try ' +
      'port 2525 if your email provider has it.',
  ],
  [
    /\b[45]\d\d[ -][45]\.2\.2\b|mailbox (is )?full|over ?quota/i,
    'The mailbox of the recipient is full. If it is yours, make room in it.',
  ],
  [
    // The text of the mail server may also name a sender, a limit or SPF.
    /^(?!.*Mail command failed).*: 5\d\d\b.*(\b5\.(1\.([1-6]|10)|2\.1)\b|user unknown|unknown user|no such user|mailbox unavailable)/i,
    recipient,
  ],
  [/client host .*\bblocked\b|spamhaus|block ?list|blacklist|banned send(er|ing IP)/i, blocklist],
  // The texts of these codes also name the sender or a rate.
  [/\b[45]\.7\.(2[0-467]|30|32|40|509|515)\b|: 5\d\d.*(DMARC|\bSPF\b|\bDKIM\b)/, domain],
  [
    /\b452[ -]4\.5\.3\b|\b55\d[ -]5\.4\.5\b|(sending|daily|hourly|rate) (limit|quota)|sending rate|throttling|SubmissionQuota/i,
    limit,
  ],
  [
    /: 530\b|authentication required|credentials for relay|relay access denied|(unable to relay|relaying)\b/i,
    login,
  ],
  [
    // Excludes two errors of Microsoft: a blocked account, and a group that accepts only its members.
    /^(?!.*(outbound sender|RESOLVER\.RST)).*(Mail command failed: 5|: 5\d\d.*(\bsender\b|\bfrom address|'from'|send ?as|not verified|not owned))/i,
    sender,
  ],
  [/(recipients were rejected|Recipient command failed): 5/, recipient],
  [/^(EENVELOPE|EMESSAGE): .*: 4\d\d\b|[:=] ?421\b/, later],
];

/**
 * What a person can do about `error` of a `DeliveryResult`, in one or more sentences; undefined when only the
 * server's own sentence is known.
 */
export function adviceOn(error: string): string | undefined {
  // A quoted address may contain any of the words.
  const text = error.replace(/<[^>]*>?/g, '');
  return sentences.find(([pattern]) => pattern.test(text))?.[1];
}

/**
 * The codes in `error` of a `DeliveryResult`, such as `EMESSAGE 550 5.7.1`, without the server's own text: alerts also go
 * to other programs. Undefined when it has none.
 */
export function codesIn(error: string): string | undefined {
  const [code] = /^[A-Z][A-Z_]+(?=:|$)/.exec(error) ?? [];
  const [, status] = /: ([245]\d\d(?:[ -]\d\.\d{1,3}\.\d{1,3})?)\b/.exec(error) ?? [];
  return [code, status?.replace('-', ' ')].filter(Boolean).join(' ') || undefined;
}

/** Whether the sending limit is reached, also where the server says so by a permanent rejection (550 5.4.5). */
export const isLimit = (error: string) => adviceOn(error) === limit;

/** Whether the server takes no email for this recipient for now, which neither the owner nor a retry soon mends. */
export const isDeferredForRecipient = (error: string) =>
  /^(EENVELOPE|EMESSAGE): .*: 4\d\d\b/.test(error) && !isMendable(error);

/** Whether the owner can mend it, so that the recipient's address is not at fault. */
export const isMendable = (error: string) =>
  [limit, login, sender, domain, blocklist].some((sentence) => sentence === adviceOn(error));
