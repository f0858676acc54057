import { Type } from "typebox";
import { OneOf } from "../../../platform/http/schemas.ts";
import { planTiers } from "../organizations/index.ts";

export const PlanBody = Type.Object({ plan_tier: OneOf(planTiers) });
