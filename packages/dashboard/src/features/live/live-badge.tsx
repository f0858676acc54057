/** How many visits are active now. */
export function LiveBadge() {
	return null;
}
