import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { type FormEvent, useState } from 'react';
import { isPlaceholder } from '../../site.placeholder.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { MainButton } from '../admin/main-button.tsx';
import { Note } from '../admin/panel.tsx';
import { StatusLine } from '../admin/status-line.tsx';
import { trpc } from '../api/trpc.ts';
import { Part } from './connection-parts.tsx';
import { messageOf } from './message-of.ts';
import { Undo } from './undo.tsx';
import { useLiveField } from './use-live-field.ts';

/** Where the site’s checkout leads, chosen from the Payment Links of the account. */
export function CheckoutPart({ hasKey }: { hasKey: boolean }) {
  const checkout = useLiveField('links.checkout');
  const [isOpen, setIsOpen] = useState(false);
  const [said, setSaid] = useState('');
  const { live, isBusy, before, error } = checkout;
  if (live === undefined) return null;
  const choose = async (url: string, sentence: string) => {
    setSaid('');
    if (!(await checkout.publish(url))) return;
    setIsOpen(false);
    setSaid(sentence);
  };
  return (
    <Part title="Checkout">
      <Text mt="3" overflowWrap="anywhere">
        {isPlaceholder(live) ? 'Your site links to no checkout yet.' : `Buyers pay at ${live}`}
      </Text>
      {checkout.isReadOnly && (
        <Note>
          Change it in <code>site.config.ts</code>, which <code>SITE_CONTENT</code> pins.
        </Note>
      )}
      {hasKey && !checkout.isReadOnly && !isOpen && (
        <Button type="button" mt="3" onClick={() => setIsOpen(true)}>
          Choose a Payment Link
        </Button>
      )}
      {isOpen && (
        <Links
          live={live}
          error={error}
          isBusy={isBusy}
          onChoose={(url) => void choose(url, 'Buyers pay there from now on.')}
          onCancel={() => setIsOpen(false)}
        />
      )}
      {said && before !== undefined ? (
        <Undo
          sentence={said}
          isBusy={isBusy}
          onUndo={() => void choose(before, 'The checkout is as before.')}
        />
      ) : (
        <StatusLine>{isBusy ? 'Publishing …' : ''}</StatusLine>
      )}
      {error && !isOpen && <OwnerAlert role="alert">{error}</OwnerAlert>}
    </Part>
  );
}

function Links({
  live,
  error,
  isBusy,
  onChoose,
  onCancel,
}: {
  live: string;
  error: string;
  isBusy: boolean;
  onChoose: (url: string) => void;
  onCancel: () => void;
}) {
  const query = trpc.connections.paymentLinks.useQuery(undefined, { staleTime: 60_000 });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get('link');
    if (!isBusy && chosen !== null) onChoose(String(chosen));
  };
  if (query.isPending) return <StatusLine>Asking Stripe …</StatusLine>;
  const { links = [], problem } = query.data ?? {};
  const failure = query.error
    ? messageOf(query.error, 'Could not ask Stripe. Try again.')
    : problem;
  return (
    <form onSubmit={submit}>
      {failure !== undefined && <OwnerAlert role="alert">{failure}</OwnerAlert>}
      {failure === undefined && links.length === 0 && (
        <Text mt="3">There is no Payment Link in your account. Make one at Stripe.</Text>
      )}
      {links.length > 0 && (
        <Radios aria-label="Payment Links" role="radiogroup">
          {links.map(({ id, url, name }) => (
            <label key={id}>
              <input type="radio" name="link" value={url} required defaultChecked={url === live} />
              <span>
                <b>{name ?? 'Payment Link'}</b> <small>{url}</small>
              </span>
            </label>
          ))}
        </Radios>
      )}
      {error && <OwnerAlert role="alert">{error}</OwnerAlert>}
      <Flex wrap="wrap" align="center" columnGap="5" rowGap="3" mt="4">
        {links.length > 0 && (
          <MainButton type="submit" minH="11" aria-busy={isBusy}>
            Use this link
          </MainButton>
        )}
        <Button type="button" variant="plain" onClick={onCancel}>
          Cancel
        </Button>
      </Flex>
    </form>
  );
}

/** Radios one below the other, with what they mean. */
export const Radios = chakra('div', {
  base: {
    mt: '3',
    '& label': {
      display: 'flex',
      alignItems: 'center',
      gap: '3',
      minH: '11',
      py: '1',
      cursor: 'pointer',
      overflowWrap: 'anywhere',
    },
    '& label > span': { minW: '0' },
    '& input': { flex: 'none', w: '5', h: '5', accentColor: '{colors.fg}', cursor: 'pointer' },
    '& b': { fontWeight: '600' },
    '& small': { color: 'fg.muted' },
  },
});
