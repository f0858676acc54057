import { boot } from "../../api/boot.ts";

/** Whether plans are paid for here; where they are not, whoever runs the service sets them. */
export const isPaidHere = boot.config?.payments === "stripe";
