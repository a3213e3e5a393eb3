/** The state of /admin in the history after a Logout that the server did not confirm. */
export const logoutUnconfirmed = 'logout unconfirmed';
