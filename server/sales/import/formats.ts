/** The files of sales that are recognised by their columns, and which of their rows are sales. */
import type { DecimalStyle } from './amount.ts';

/** What a column of a file can say about a sale. */
export const fields = [
  'id',
  'amount',
  'currency',
  'email',
  'date',
  'time',
  'zone',
  'source',
  'refunded',
  'status',
] as const;

export type Field = (typeof fields)[number];

/** What a row is. */
type Verdict =
  | {
      is: 'sale';
      /** Replaces the id of the mapped column. */
      id?: string | undefined;
      isRefundedInFull?: boolean;
      /** A disputed amount, or 'all' that was not refunded. */
      disputed?: string | undefined;
      /** An amount that a bank took back; it counts as refunded. */
      lost?: string | undefined;
    }
  /** A refund of the sale with this id, or of one with its own. */
  | { is: 'refund'; of: string | undefined }
  | { is: 'skipped'; reason: string };

/** The cell of a column, by its name in lower case; '' without one. */
type Cell = (column: string) => string;

/** The cell of the column that holds a field; '' without one. */
type FieldCell = (field: Field) => string;

export interface Format {
  /** What the owner reads. */
  title: string;
  /** Columns that every file of this format has, in lower case. */
  signature: readonly string[];
  /** The columns of a field, in lower case: the first that the file has is used. */
  columns: Partial<Record<Field, readonly string[]>>;
  /** Other columns that `judge` reads. */
  extra: readonly string[];
  /** The currency of a file without a column for it. */
  currency: string;
  /** What whole amounts mean, when no amount of the file has decimals. */
  whole: DecimalStyle;
  /** The time zone of dates without one; undefined: the owner’s. */
  timeZone?: string;
  /** Says what a row is. A row with a negative amount is a refund in any case. */
  judge: (cell: Cell, fieldCell: FieldCell) => Verdict;
}

const sale: Verdict = { is: 'sale' };
const skipped = (reason: string): Verdict => ({ is: 'skipped', reason });
const unpaid = (status: string) => skipped(`Status “${status}”: no money was received.`);
const isYes = (text: string) => /^(1|true|yes|y)$/i.test(text);

const stripe: Format = {
  title: 'Stripe payments',
  signature: ['id', 'amount', 'amount refunded', 'currency', 'status'],
  columns: {
    id: ['paymentintent id', 'id'],
    amount: ['amount'],
    currency: ['currency'],
    email: ['customer email', 'email (metadata)'],
    date: ['created date (utc)', 'created (utc)'],
    source: ['utm source', 'source (metadata)'],
    refunded: ['amount refunded'],
  },
  extra: [
    ...['id', 'mode', 'captured', 'status', 'invoice id', 'checkout session id'],
    ...['disputed amount', 'dispute status'],
  ],
  currency: 'USD',
  whole: 'point',
  timeZone: 'UTC',
  judge(cell) {
    const status = cell('status');
    if (/^test/i.test(cell('mode'))) return skipped('A test payment.');
    if (!/^(paid|succeeded|(partial(ly)? )?refund(ed)?|disputed)/i.test(status)) {
      return unpaid(status);
    }
    if (/^false/i.test(cell('captured'))) return skipped('Not captured: no money was received.');
    const dispute = cell('dispute status');
    const disputed = cell('disputed amount');
    // The site knows the first payment of a subscription by its checkout, which has no payment intent.
    const subscription = cell('invoice id') && cell('checkout session id');
    return {
      is: 'sale',
      id: subscription || cell('paymentintent id') || cell('id'),
      lost: /^(charge_)?lost/i.test(dispute) ? disputed : undefined,
      disputed: /^(needs|under)/i.test(dispute) ? disputed : undefined,
    };
  },
};

const gumroad: Format = {
  title: 'Gumroad sales',
  signature: ['purchase id', 'sale price ($)'],
  columns: {
    id: ['purchase id'],
    amount: ['sale price ($)'],
    email: ['purchase email', 'buyer email'],
    date: ['purchase time (utc timezone)', 'purchase date'],
    source: ['utm source', 'referrer'],
    refunded: ['partial refund ($)'],
  },
  extra: [
    ...['purchase id', 'fully refunded?', 'disputed?', 'dispute won?'],
    ...['free trial purchase?', 'pre-order authorization?'],
  ],
  currency: 'USD',
  whole: 'point',
  timeZone: 'UTC',
  judge(cell) {
    if (/^totals?$/i.test(cell('purchase id'))) return skipped('The sums of the file.');
    if (isYes(cell('free trial purchase?'))) return skipped('A free trial: nothing was paid.');
    if (isYes(cell('pre-order authorization?'))) {
      return skipped('A pre-order that was not charged.');
    }
    const isLost = isYes(cell('disputed?')) && !isYes(cell('dispute won?'));
    return {
      is: 'sale',
      isRefundedInFull: isYes(cell('fully refunded?')),
      disputed: isLost ? 'all' : undefined,
    };
  },
};

const lemonSqueezy: Format = {
  title: 'Lemon Squeezy orders',
  signature: ['identifier', 'user_email', 'total'],
  columns: {
    id: ['identifier', 'order_number'],
    amount: ['total'],
    currency: ['currency'],
    email: ['user_email'],
    date: ['date_utc', 'created_at'],
    source: ['utm_source'],
    refunded: ['refunded_amount'],
  },
  extra: ['status', 'test_mode', 'refunded', 'refunded_amount'],
  currency: 'USD',
  whole: 'cents',
  timeZone: 'UTC',
  judge(cell) {
    const status = cell('status');
    if (isYes(cell('test_mode'))) return skipped('A test order.');
    if (!/^(paid|refunded|partial(ly)?[_ ]refund(ed)?|)$/i.test(status)) return unpaid(status);
    const isRefunded = /^refunded$/i.test(status) || isYes(cell('refunded'));
    return { is: 'sale', isRefundedInFull: isRefunded && !cell('refunded_amount') };
  },
};

const payPal: Format = {
  title: 'PayPal activity',
  signature: ['timezone', 'type', 'status', 'gross', 'transaction id'],
  columns: {
    id: ['transaction id'],
    amount: ['gross'],
    currency: ['currency'],
    email: ['from email address'],
    date: ['date'],
    time: ['time'],
    zone: ['timezone'],
  },
  extra: ['type', 'status', 'gross', 'balance impact', 'reference txn id'],
  currency: 'USD',
  whole: 'point',
  judge(cell) {
    const [type, status] = [cell('type'), cell('status')];
    if (/^memo$/i.test(cell('balance impact'))) return skipped(`“${type}” moved no money.`);
    if (!/^(completed|cleared|(partially )?refunded|(partially )?reversed)$/i.test(status)) {
      return unpaid(status);
    }
    const isFee = /fee/i.test(type);
    if (!isFee && /refund|reversal|chargeback/i.test(type) && cell('reference txn id')) {
      return { is: 'refund', of: cell('reference txn id') };
    }
    const isSale =
      /payment|donation/i.test(type) &&
      !/refund|reversal|hold|review|authori[sz]ation|order|sent|release|fee/i.test(type);
    if (!isSale) return skipped(`“${type}” is no sale.`);
    return cell('gross').includes('-') ? skipped('A payment that you made.') : sale;
  },
};

const other: Format = {
  title: 'Another file',
  signature: [],
  columns: {
    id: [
      ...['id', 'order id', 'order number', 'order_id', 'order_number', 'transaction id'],
      ...['payment id', 'invoice', 'invoice number', 'number', 'reference'],
    ],
    amount: ['amount', 'total', 'gross', 'price', 'amount paid', 'total price', 'order total'],
    currency: ['currency', 'currency code'],
    email: ['email', 'customer email', 'buyer email', 'e-mail', 'email address'],
    date: [
      ...['timestamp', 'date', 'created at', 'created_at', 'created', 'paid at', 'order date'],
      ...['datetime', 'time'],
    ],
    source: ['source', 'utm source', 'utm_source', 'referrer'],
    refunded: ['refunded', 'refunded amount', 'amount refunded', 'refund', 'refunded_amount'],
    status: [
      ...['financial status', 'payment status', 'payment_status', 'status', 'order status'],
      ...['order_status', 'state'],
    ],
  },
  extra: [],
  currency: 'USD',
  whole: 'point',
  judge(_, fieldCell) {
    const status = fieldCell('status');
    const isUnpaid =
      /^((un|not[ _-]?)paid|fail|error|pending|cancel|declin|denied|reject|expired|void|draft|incomplete|abandon|on[ _-]hold|authori[sz]ed|test)/i;
    if (isUnpaid.test(status)) return unpaid(status);
    const isReturned = /^(fully[ _-])?(refund(ed)?|reversed|charged?[ _-]?back)$/i.test(status);
    return {
      is: 'sale',
      // The amount of a partial refund is more exact than its status.
      isRefundedInFull: isReturned && !/[1-9]/.test(fieldCell('refunded')),
      disputed: /^disputed$/i.test(status) ? 'all' : undefined,
    };
  },
};

/** All formats but our own; `other` fits every file. */
export const formats = { stripe, gumroad, lemonSqueezy, payPal, other } as const;

export type FormatName = keyof typeof formats;

/** The format of a file with these columns, in lower case. */
export function formatOf(columns: readonly string[]): FormatName {
  const names = Object.keys(formats) as FormatName[];
  return (
    names.find((name) => formats[name].signature.every((column) => columns.includes(column))) ??
    'other'
  );
}
