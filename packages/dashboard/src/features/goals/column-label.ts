import { dimensionLabels } from "../site/index.ts";
import type { RowColumn } from "./row-columns.ts";
import { t } from "./rows-texts.ts";

/** The name of a column. */
export const columnLabel = (name: RowColumn): string =>
	name === "amount" || name === "clid" || name === "properties" ? t[name] : dimensionLabels[name];
