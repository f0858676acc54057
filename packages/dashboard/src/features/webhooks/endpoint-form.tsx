import { useState } from "react";
import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Area, Check, Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { saved, useChange } from "../../ui/form/use-change.ts";
import { Secret } from "../../ui/secret/secret.tsx";
import { useSite } from "../site/index.ts";
import { headersOf, linesOf } from "./header-lines.ts";
import { type Endpoint, staleRoutes } from "./queries.ts";
import { t } from "./texts.ts";
import styles from "./webhooks.module.css";

/** Events of an endpoint. */
export const eventTypes = [
	"alert.triggered",
	"alert.resolved",
	"export.completed",
	"export.failed",
	"goal.reached",
] as const;
type EventType = (typeof eventTypes)[number];

const inputOf = (values: FormData) => ({
	name: textOf(values, "name").trim(),
	url: textOf(values, "url").trim(),
	event_types: values.getAll("event_types").map(String) as EventType[],
	headers: headersOf(textOf(values, "headers")),
	description: textOf(values, "description").trim() || null,
});
type EndpointInput = ReturnType<typeof inputOf>;

interface EndpointFormProps {
	/** The endpoint that is changed; absent for a new one. */
	readonly endpoint?: Endpoint;
	readonly onDone: () => void;
}

/** Makes an endpoint, and then shows its secret; or changes one. */
export function EndpointForm({ endpoint, onDone }: EndpointFormProps) {
	const { id: site } = useSite();
	const [secret, setSecret] = useState<string>();
	const update = useUpdate(site, endpoint);
	const create = useChange({
		run: (body: EndpointInput) => call("POST /webhooks", { query: { account_id: site }, body }),
		stale: staleRoutes,
	});
	if (secret !== undefined) {
		return (
			<div className="stack-16">
				<p>{t.created}</p>
				<Secret label={t.secret} value={secret} />
				<Button look="primary" onClick={onDone}>
					{t.done}
				</Button>
			</div>
		);
	}
	return (
		<Fields
			endpoint={endpoint}
			send={async (input) => {
				if (endpoint === undefined) return setSecret((await create.mutateAsync(input)).secret);
				await update.mutateAsync(input);
				onDone();
			}}
		/>
	);
}

function useUpdate(site: string, endpoint: Endpoint | undefined) {
	const change = (body: EndpointInput) =>
		call("PATCH /webhooks/{endpoint_id}", {
			path: { endpoint_id: endpoint?.id ?? "" },
			query: { account_id: site },
			body,
		});
	return useChange({
		run: change,
		stale: staleRoutes,
		done: saved,
		undo: () =>
			endpoint === undefined
				? Promise.resolve()
				: change({ ...endpoint, event_types: [...endpoint.event_types] as EventType[] }),
	});
}

interface FieldsProps {
	readonly endpoint: Endpoint | undefined;
	readonly send: (input: EndpointInput) => Promise<void>;
}

function Fields({ endpoint, send }: FieldsProps) {
	const [isUnchosen, setUnchosen] = useState(false);
	const form = useForm(
		async (values) => {
			const input = inputOf(values);
			setUnchosen(input.event_types.length === 0);
			if (input.event_types.length > 0) await send(input);
		},
		{ draft: endpoint?.id ?? "new endpoint" },
	);
	return (
		<Form form={form} className="stack-16">
			<Field
				label={t.name}
				name="name"
				required
				maxLength={255}
				autoFocus
				autoComplete="off"
				defaultValue={endpoint?.name}
			/>
			<Field
				label={t.url}
				hint={t.urlHint}
				name="url"
				type="url"
				required
				pattern="https://.*"
				maxLength={2000}
				placeholder={t.urlSample}
				autoComplete="off"
				defaultValue={endpoint?.url}
			/>
			<EventChoice endpoint={endpoint} error={isUnchosen ? t.chooseOne : form.errorOf("event_types")} />
			<Area
				label={t.headers}
				hint={t.headersHint}
				name="headers"
				data-secret
				rows={2}
				autoComplete="off"
				spellCheck={false}
				defaultValue={endpoint && linesOf(endpoint.headers)}
			/>
			<Field
				label={t.description}
				name="description"
				maxLength={1000}
				autoComplete="off"
				defaultValue={endpoint?.description ?? ""}
			/>
			<Submit>{endpoint === undefined ? t.create : t.save}</Submit>
		</Form>
	);
}

function EventChoice({
	endpoint,
	error,
}: {
	readonly endpoint: Endpoint | undefined;
	readonly error?: string | undefined;
}) {
	return (
		<fieldset className={styles.types}>
			<legend>{t.which}</legend>
			{eventTypes.map((type, at) => (
				<Check
					key={type}
					label={t.types[type] ?? type}
					name="event_types"
					value={type}
					defaultChecked={endpoint === undefined || endpoint.event_types.includes(type)}
					error={at === eventTypes.length - 1 ? error : undefined}
				/>
			))}
		</fieldset>
	);
}
