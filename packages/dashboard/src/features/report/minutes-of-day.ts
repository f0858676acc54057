/** Minutes since the day began in a time zone, one at least. */
export function minutesOfDay(timeZone: string, now = new Date()): number {
	const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
	const [hours = 0, minutes = 0] = clock.format(now).split(":").map(Number);
	return Math.max(1, hours * 60 + minutes);
}
