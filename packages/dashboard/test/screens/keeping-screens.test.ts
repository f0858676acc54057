import { checkScreens } from "../support/check-screens.ts";

checkScreens([
	"/sites/shop/settings",
	"/sites/shop/settings/data",
	"/sites/shop/settings/imports",
	"/sites/empty/settings",
]);
