/** The snippet of a site, and whether it works. */
export function InstallScreen() {
	return null;
}
