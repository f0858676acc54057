import type { Static } from "typebox";
import type { ChangePatternBody, CreatePatternBody, SettingsBody } from "./schemas.ts";
import type { SettingsFields } from "./settings.ts";
import type { PatternFields } from "./store.ts";

/** The columns of the settings that a body changes. */
export function parseSettings(body: Static<typeof SettingsBody>): Partial<SettingsFields> {
	const { is_enabled, enforce_for_api_tokens, enforce_for_dashboard } = body;
	return {
		...(is_enabled !== undefined && { is_enabled: is_enabled ? 1 : 0 }),
		...(enforce_for_api_tokens !== undefined && { enforce_for_api_tokens: enforce_for_api_tokens ? 1 : 0 }),
		...(enforce_for_dashboard !== undefined && { enforce_for_dashboard: enforce_for_dashboard ? 1 : 0 }),
	};
}

/** The columns of a new pattern. */
export const parsePattern = (body: Static<typeof CreatePatternBody>): PatternFields => ({
	pattern: body.pattern,
	pattern_type: body.pattern_type,
	label: body.label ?? null,
	description: body.description ?? null,
	is_active: body.is_active ? 1 : 0,
});

/** The columns to change. Bodies may have unknown fields, so the known ones are picked by name. */
export function parseChanges(body: Static<typeof ChangePatternBody>): Partial<PatternFields> {
	const { pattern, pattern_type, label, description, is_active } = body;
	return {
		...(pattern !== undefined && { pattern }),
		...(pattern_type !== undefined && { pattern_type }),
		...(label !== undefined && { label }),
		...(description !== undefined && { description }),
		...(is_active !== undefined && { is_active: is_active ? 1 : 0 }),
	};
}
