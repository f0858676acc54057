import type { Row } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export type ProvisionKeyRow = Row<"provision_keys">;

export const provisionKeys = tableOf("provision_keys");
export const provisionedSites = tableOf("provisioned_sites");

/** All keys, revoked ones included, oldest first. */
export const listProvisionKeys = (metadata: Metadata): Promise<ProvisionKeyRow[]> =>
	provisionKeys.list(metadata, {}, "id");
