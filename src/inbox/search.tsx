import { chakra } from '@chakra-ui/react';
import type { FormEvent } from 'react';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';

/** Looks for words in the messages of the folder. */
export function Search({ search, onSearch }: { search: string; onSearch: (text: string) => void }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSearch(String(new FormData(event.currentTarget).get('search') ?? '').trim());
  };
  return (
    <chakra.form
      role="search"
      display="flex"
      gap="2"
      w={{ base: 'full', sm: 'auto' }}
      onSubmit={submit}
    >
      <Input
        key={search}
        type="search"
        name="search"
        aria-label="Search the messages"
        placeholder="Search"
        maxLength={200}
        defaultValue={search}
        flex="1"
      />
      <Button type="submit">Search</Button>
    </chakra.form>
  );
}
