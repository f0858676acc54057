/** Where visits come from, what they see, where they are, what they use. */
export function ListCards() {
	return null;
}
