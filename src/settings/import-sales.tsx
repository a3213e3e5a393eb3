import { Box, Button, Flex, Text, VisuallyHidden } from '@chakra-ui/react';
import { useRef } from 'react';
import { pluralize } from '../../server/contract/numbers.ts';
import { OwnerAlert } from '../admin/alert.tsx';
import { Note } from '../admin/panel.tsx';
import { StatusLine } from '../admin/status-line.tsx';
import { ImportOptionsForm } from './import-options.tsx';
import { ImportPreview } from './import-preview.tsx';
import { type Preview, useImport } from './use-import.ts';

const separators: Record<string, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' };

const formats: Record<Preview['format'], string> = {
  own: 'Sales of this site',
  stripe: 'Stripe payments',
  gumroad: 'Gumroad sales',
  lemonSqueezy: 'Lemon Squeezy orders',
  payPal: 'PayPal activity',
  other: 'Not recognised: please choose its columns',
};

/** Imports a CSV file of sales, after a preview. */
export function ImportSales() {
  const { file, preview, problem, status, isReading, isImporting, ...actions } = useImport();
  const input = useRef<HTMLInputElement>(null);
  const statusLine = useRef<HTMLParagraphElement>(null);
  const isBusy = isReading || isImporting;
  const run = async () => {
    await actions.run();
    // The button is gone.
    statusLine.current?.focus();
  };
  const sum = preview && (preview.added || preview.changed);
  return (
    <>
      <Note>
        Choose a CSV file: an export of Stripe, Gumroad, Lemon Squeezy or PayPal, or any other list
        of sales. You see what is in it before anything is stored. No sale counts twice.
      </Note>
      <Box mt="4">
        <Button
          type="button"
          minH="11"
          aria-busy={isReading}
          onClick={() => input.current?.click()}
        >
          {file ? 'Choose another file' : 'Choose a file'}
        </Button>
        <VisuallyHidden>
          <input
            ref={input}
            type="file"
            aria-label="File of sales"
            tabIndex={-1}
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            onChange={({ target }) => {
              const [chosen] = target.files ?? [];
              if (chosen) void actions.choose(chosen);
              // Choosing the same file again, corrected, is a change, too.
              target.value = '';
            }}
          />
        </VisuallyHidden>
      </Box>
      <StatusLine ref={statusLine}>{isReading ? 'Reading the file …' : status}</StatusLine>
      {problem && (
        <OwnerAlert role="alert" maxW="65ch">
          {problem}
        </OwnerAlert>
      )}
      {file && preview && (
        <Box aria-busy={isBusy} opacity={isReading ? 0.6 : 1}>
          <Text overflowWrap="anywhere">
            <strong>{file.name}</strong>
            <span>
              {`: ${formats[preview.format]}. ${file.encoding}, separated by ${separators[preview.delimiter]}.`}
            </span>
          </Text>
          {preview.options && (
            <ImportOptionsForm
              preview={{ ...preview, options: preview.options }}
              onChange={(options) => void actions.change(options)}
            />
          )}
          <ImportPreview preview={preview} />
          <Flex asChild wrap="wrap" align="center" gap="5" mt="5">
            <form
              onSubmit={(event) => {
                event.preventDefault();
                if (!isBusy) void run();
              }}
            >
              {Boolean(sum) && preview.errors.count === 0 && (
                <Button type="submit" aria-busy={isImporting}>
                  {isImporting ? 'Importing …' : buttonText(preview)}
                </Button>
              )}
              {!isImporting && (
                <Button type="button" variant="plain" onClick={actions.close}>
                  Cancel
                </Button>
              )}
            </form>
          </Flex>
        </Box>
      )}
    </>
  );
}

function buttonText({ added, changed }: Preview): string {
  const n = added || changed;
  return `${added > 0 ? 'Import' : 'Update'} ${pluralize(n, 'sale')}`;
}
