/** Languages that the dashboard is written in. Mails, and the pages that mails lead to, are English. */
export const languages = ["en", "es"] as const;
