import { activityExport } from './activity-export.ts';
import { activityImport } from './activity-import.ts';
import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { conversionsExport } from './conversions-export.ts';
import { conversionsImport } from './conversions-import.ts';
import { demo } from './demo.ts';
import { messages } from './messages.ts';
import { messagesEmptySpam } from './messages-empty-spam.ts';
import { messagesExport } from './messages-export.ts';
import { move } from './move.ts';
import { password } from './password.ts';
import { personErase, personExport } from './person.ts';
import { restore } from './restore.ts';
import { sessions } from './sessions.ts';
import { signInLink } from './sign-in-link.ts';
import { status } from './status.ts';
import { verify } from './verify.ts';

/** All commands of `npm run admin`, in the order of its help. */
export const commands: Command[] = [
  password,
  signInLink,
  sessions,
  messages,
  messagesExport,
  messagesEmptySpam,
  conversionsImport,
  conversionsExport,
  activityImport,
  activityExport,
  personExport,
  personErase,
  demo,
  verify,
  backup,
  restore,
  move,
  status,
];
