/** The form of a section: a control for each field, by its kind. */
import { Box, Heading, Text } from '@chakra-ui/react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { Details } from '../admin/details.tsx';
import { AttributesField } from './attributes-field.tsx';
import { ChoiceField } from './choice-field.tsx';
import { ColourField } from './colour-field.tsx';
import { useEditor } from './context.ts';
import { DatesField } from './dates-field.tsx';
import { DurationField, NumberField } from './duration-field.tsx';
import type { Field } from './fields.ts';
import { HoursByDateField, HoursField } from './hours-field.tsx';
import { ListField } from './list-field.tsx';
import { PhotoField } from './photo-field.tsx';
import type { Section } from './sections.ts';
import { TextField } from './text-field.tsx';

export function SectionForm({ section }: { section: Section }) {
  const { fields } = useEditor();
  const [only] = section.paths.length === 1 ? section.paths : [];
  const help = only === undefined ? undefined : fields.at(only);
  // A section of one group has its title already.
  if (only !== undefined && help?.kind === 'group') {
    return (
      <>
        {help.help && <Text color="fg.muted">{help.help}</Text>}
        <GroupFields path={only} />
      </>
    );
  }
  return section.paths.map((path) => <Part key={path} path={path} isFolded={section.isFolded} />);
}

/** The controls of a group's fields. */
const GroupFields = ({ path }: { path: string }) => {
  const { fields } = useEditor();
  return fields.partsOf(path).map((part) => <Part key={part.path} path={part.path} />);
};

function Part({ path, isFolded = false }: { path: string; isFolded?: boolean | undefined }) {
  const { fields, selected } = useEditor();
  const field = fields.at(path);
  if (!field) return null;
  if (field.kind !== 'group') return <FieldOf path={path} field={field} />;
  const content = (
    <>
      {field.help && (
        <Text textStyle="small" color="fg.muted">
          {field.help}
        </Text>
      )}
      <GroupFields path={path} />
    </>
  );
  if (isFolded) {
    return (
      <Folded label={field.label} isChosen={selected?.startsWith(`${path}.`) ?? false}>
        {content}
      </Folded>
    );
  }
  return (
    <Box as="section" aria-label={field.label} mt="5">
      <Heading as="h3" textStyle="h4" fontSize="1.0625rem" pb="1">
        {field.label}
      </Heading>
      {content}
    </Box>
  );
}

/** A group that is open once the owner opens it, or chooses a field of it elsewhere. */
function Folded({
  label,
  isChosen,
  children,
}: {
  label: string;
  isChosen: boolean;
  children: ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(isChosen);
  const [wasChosen, setWasChosen] = useState(isChosen);
  // While rendering, so that the chosen field is there to take the focus.
  if (isChosen !== wasChosen) {
    setWasChosen(isChosen);
    if (isChosen) setIsOpen(true);
  }
  return (
    <Details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{label}</summary>
      {/* There are more than a hundred: those of closed groups would make each key slower. */}
      {isOpen && children}
    </Details>
  );
}

/** The control of one field. */
function FieldOf({ path, field }: { path: string; field: Field }) {
  const { fields } = useEditor();
  if (field.kind === 'list') {
    return (
      <ListField path={path} field={field}>
        {(entry) =>
          fields.at(entry)?.kind === 'group' ? <GroupFields path={entry} /> : <Part path={entry} />
        }
      </ListField>
    );
  }
  const Control = controls[field.kind] ?? TextField;
  return <Control path={path} field={field} />;
}

const controls: Partial<Record<Field['kind'], ComponentType<{ path: string; field: Field }>>> = {
  attributes: AttributesField,
  colour: ColourField,
  photo: PhotoField,
  timeZone: ChoiceField,
  currency: ChoiceField,
  language: ChoiceField,
  duration: DurationField,
  number: NumberField,
  hours: HoursField,
  hoursByDate: HoursByDateField,
  dates: DatesField,
};
