import { checkScreens } from "../support/check-screens.ts";

checkScreens([
	"/sites/shop/settings",
	"/sites/shop/settings/data",
	"/sites/shop/settings/imports",
	"/sites/empty/settings/imports",
	"/sites/shop/settings/bigquery",
	"/sites/shop/settings/insights",
	"/sites/shop/insights",
	"/sites/shop/insights/reports",
	"/sites/empty/insights",
	"/sites/empty/settings",
]);
