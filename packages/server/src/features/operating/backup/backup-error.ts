/** What keeps a backup from being made, read or restored; the message is a sentence for the operator, without a secret. */
export class BackupError extends Error {
	override readonly name = "BackupError";
}
