/** How far visits get. */
export function FunnelsScreen() {
	return null;
}
