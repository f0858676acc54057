export {
	Checks,
	type HealthCheck,
	type HealthDeps,
	HealthFault,
	type HealthNote,
	lookAtHealth,
	OverallStatus,
	registerHealth,
	requestFacts,
} from "./routes.ts";
