/** The part of a logger that the event store uses. */
export interface StoreLog {
	info(details: object, message: string): void;
	warn(details: object, message: string): void;
	error(details: object, message: string): void;
}
