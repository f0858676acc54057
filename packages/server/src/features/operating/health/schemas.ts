import { Type } from "typebox";
import { OneOf, Timestamp } from "../../../platform/http/schemas.ts";

/** Header of `/health`. */
export const HealthHeaders = Type.Object({
	"x-health-token": Type.Optional(Type.String({ maxLength: 256, description: "Required in production" })),
});

/** Answer of `/livez`. */
export const Live = Type.Object({ status: Type.Literal("ok") });

/** Answer of `/readyz`. */
export const Ready = Type.Object({
	status: OneOf(["ready", "not_ready"]),
	checks: Type.Record(Type.String(), OneOf(["ok", "failed"])),
});

/** All checks together. */
export const OverallStatus = OneOf(["healthy", "degraded", "unhealthy"]);

/** Result of each check, by name. */
export const Checks = Type.Record(
	Type.String(),
	Type.Object({
		status: OneOf(["healthy", "unhealthy"]),
		latency_ms: Type.Optional(Type.Number()),
		message: Type.Optional(Type.String()),
	}),
);

/** Answer of `/health`. */
export const Health = Type.Object({
	status: OverallStatus,
	version: Type.String(),
	environment: Type.String(),
	checks: Checks,
	timestamp: Timestamp(),
});
