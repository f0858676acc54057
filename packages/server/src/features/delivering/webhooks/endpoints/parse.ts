import type { Static } from "typebox";
import type { EndpointChanges } from "./change-endpoint.ts";
import type { ChangeEndpointBody, CreateEndpointBody } from "./schemas.ts";

/** A new endpoint as its user describes it. */
export const parseEndpoint = (body: Static<typeof CreateEndpointBody>) => ({
	name: body.name,
	url: body.url,
	eventTypes: body.event_types,
	headers: body.headers ?? {},
	description: body.description || null,
});

/** The fields to change. */
export const parseChanges = (body: Static<typeof ChangeEndpointBody>): EndpointChanges => ({
	...(body.name !== undefined && { name: body.name }),
	...(body.url !== undefined && { url: body.url }),
	...(body.event_types !== undefined && { eventTypes: body.event_types }),
	...(body.headers !== undefined && { headers: body.headers }),
	...(body.description !== undefined && { description: body.description || null }),
	...(body.is_active !== undefined && { isActive: body.is_active }),
});
