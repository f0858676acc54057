import { checkScreens } from "../support/check-screens.ts";

checkScreens([
	"/account",
	"/account/security",
	"/account/tokens",
	"/account/apps",
	"/organizations",
	"/organizations/new",
	"/organizations/ann",
	"/organizations/ann/billing",
	"/developers",
]);
