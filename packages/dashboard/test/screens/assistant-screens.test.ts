import { checkScreens } from "../support/check-screens.ts";

checkScreens(["/sites/shop/ask"]);
