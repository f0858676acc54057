/** The last moment of a day on the reader's clock, as the API takes it. */
export const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

/** The day that ends with a moment, on the reader's clock; empty without one. */
export function dayOfEnd(iso: string | null): string {
	if (iso === null) return "";
	const moment = new Date(iso);
	const two = (part: number) => String(part).padStart(2, "0");
	return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}
