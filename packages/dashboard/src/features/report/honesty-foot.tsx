/** What is left out of the figures, and how fresh they are. */
export function HonestyFoot() {
	return null;
}
