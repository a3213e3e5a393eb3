import { Button, Flex, Input } from '@chakra-ui/react';
import { type FormEvent, useEffect, useRef } from 'react';

/** Searches the messages of the current folder. The field keeps the focus after a search. */
export function Search({ search, onSearch }: { search: string; onSearch: (text: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  // The search also changes by the browser's Back button and by a link to a folder.
  useEffect(() => {
    if (field.current && field.current.value.trim() !== search) field.current.value = search;
  }, [search]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSearch(String(new FormData(event.currentTarget).get('search') ?? '').trim());
  };
  return (
    <Flex asChild role="search" gap="2" w={{ base: 'full', sm: 'auto' }}>
      <form onSubmit={submit}>
        <Input
          ref={field}
          type="search"
          name="search"
          aria-label="Search the messages"
          placeholder="Search"
          // Browsers would offer earlier searches to the next person.
          autoComplete="off"
          maxLength={200}
          defaultValue={search}
          flex="1"
        />
        <Button type="submit">Search</Button>
      </form>
    </Flex>
  );
}
