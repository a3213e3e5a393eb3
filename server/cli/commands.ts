import { backup } from './backup/backup.ts';
import { move } from './backup/move.ts';
import { restore } from './backup/restore.ts';
import type { Command } from './command.ts';
import { contentExport, contentImport, contentUseFile } from './content.ts';
import { activityExport } from './csv/activity-export.ts';
import { activityImport } from './csv/activity-import.ts';
import { conversionsExport } from './csv/conversions-export.ts';
import { conversionsImport } from './csv/conversions-import.ts';
import { demo } from './demo/demo.ts';
import { messages } from './messages.ts';
import { messagesEmptySpam } from './messages-empty-spam.ts';
import { messagesExport } from './messages-export.ts';
import { password } from './password.ts';
import { personErase, personExport } from './person.ts';
import { sessions } from './sessions.ts';
import { signInLink } from './sign-in-link.ts';
import { status } from './status/status.ts';
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
  contentExport,
  contentImport,
  contentUseFile,
  demo,
  verify,
  backup,
  restore,
  move,
  status,
];
