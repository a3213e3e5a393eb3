import { Alert, type AlertRootProps } from '@chakra-ui/react';

/** An important alert for the owner. */
export const OwnerAlert = (props: AlertRootProps) => <Alert.Root as="p" mt="4" {...props} />;
