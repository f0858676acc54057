/** An error of making, reading or restoring a backup; the message is a sentence for the operator, without a secret. */
export class BackupError extends Error {
	override readonly name = "BackupError";
}
