import { queryOptions, useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { atField } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Item } from "../../ui/items/items.tsx";
import { pausedState, RecordActions } from "../../ui/items/record-actions.tsx";
import { type Site, usePanel } from "../site/index.ts";
import { ListCard } from "./list-card.tsx";
import { t } from "./texts.ts";

const words = t.parameters;

type Mapping = Answer<"GET /sites/{id}/utm-mappings">["mappings"][number];
type Target = Mapping["maps_to"];
const targets = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

const mappingsQuery = (id: string) =>
	queryOptions({
		queryKey: ["GET /sites/{id}/utm-mappings", id],
		queryFn: ({ signal }) => call("GET /sites/{id}/utm-mappings", { path: { id }, signal }),
	});

const taken = atField({ duplicate_entry: ["custom_param", words.taken] });

function useMappings(id: string) {
	const stale = ["GET /sites/{id}/utm-mappings"];
	const create = (custom_param: string, maps_to: Target) =>
		call("POST /sites/{id}/utm-mappings", { path: { id }, body: { custom_param, maps_to } }).catch(taken);
	const write = ({ id: mapping_id }: Mapping, body: Partial<Pick<Mapping, "maps_to" | "is_active">>) =>
		call("PATCH /sites/{id}/utm-mappings/{mapping_id}", { path: { id, mapping_id }, body });
	// Parameters may hold a slash, so that they stand in the query, not in the path.
	const drop = ({ custom_param }: Mapping) =>
		call("DELETE /sites/{id}/utm-mappings", { path: { id }, query: { custom_param } });
	return {
		add: useChange({
			run: ({ param, mapsTo }: { readonly param: string; readonly mapsTo: Target }) => create(param, mapsTo),
			stale,
			done: ({ custom_param: param }) => words.added(param),
			undo: drop,
		}),
		change: useChange({
			run: ({ mapping, to }: { readonly mapping: Mapping; readonly to: Parameters<typeof write>[1] }) =>
				write(mapping, to),
			stale,
			done: ({ custom_param: param }) => words.changed(param),
			undo: (_, { mapping }) => write(mapping, { maps_to: mapping.maps_to, is_active: mapping.is_active }),
		}),
		remove: useChange({
			run: drop,
			stale,
			done: (_, { custom_param: param }) => words.removed(param),
			undo: async (_, { custom_param, maps_to, is_active }) => {
				const mapping = await create(custom_param, maps_to);
				if (!is_active) await write(mapping, { is_active });
			},
		}),
	};
}

/** Parameters of links that are campaign values under another name. */
export function ParametersTab({ site }: { readonly site: Site }) {
	const query = useQuery(mappingsQuery(site.id));
	const panel = usePanel();
	const mayWrite = may("POST /sites/{id}/utm-mappings", site.role);
	const edited = query.data?.mappings.find(({ id }) => panel.kind === "parameter" && String(id) === panel.id);
	return (
		<>
			<ListCard
				words={words}
				visit={words.visit(site.domains[0] ?? "example.com")}
				query={query}
				rowsOf={({ mappings }) => mappings}
				onAdd={mayWrite ? () => panel.open("new") : undefined}
				row={(mapping) => (
					<Row
						key={mapping.id}
						site={site}
						mapping={mapping}
						mayWrite={mayWrite}
						onEdit={() => panel.open("parameter", mapping.id)}
					/>
				)}
			/>
			{mayWrite && panel.kind === "new" && <MappingDialog site={site} onClose={panel.close} />}
			{mayWrite && edited && <MappingDialog key={edited.id} site={site} mapping={edited} onClose={panel.close} />}
		</>
	);
}

interface RowProps {
	readonly site: Site;
	readonly mapping: Mapping;
	readonly mayWrite: boolean;
	readonly onEdit: () => void;
}

function Row({ site, mapping, mayWrite, onEdit }: RowProps) {
	const { change, remove } = useMappings(site.id);
	return (
		<Item
			title={mapping.custom_param}
			facts={words.fact(t.fields[mapping.maps_to])}
			state={pausedState(mapping.is_active)}
			actions={
				mayWrite && (
					<RecordActions
						name={mapping.custom_param}
						isActive={mapping.is_active}
						isBusy={change.isBusy || remove.isBusy}
						onEdit={onEdit}
						onToggle={() => change.run({ mapping, to: { is_active: !mapping.is_active } })}
						onRemove={() => remove.run(mapping)}
					/>
				)
			}
		/>
	);
}

interface MappingDialogProps {
	readonly site: Site;
	readonly mapping?: Mapping;
	readonly onClose: () => void;
}

function MappingDialog({ site, mapping, onClose }: MappingDialogProps) {
	const { add, change } = useMappings(site.id);
	const form = useForm(
		async (values) => {
			const mapsTo = targets.find((target) => target === textOf(values, "maps_to")) ?? "utm_source";
			if (mapping === undefined) await add.mutateAsync({ param: textOf(values, "custom_param"), mapsTo });
			else await change.mutateAsync({ mapping, to: { maps_to: mapsTo } });
			onClose();
		},
		{ draft: `parameter ${mapping?.id ?? "new"}` },
	);
	return (
		<Dialog title={mapping === undefined ? words.add : words.edit} onClose={onClose}>
			<RecordForm form={form} onCancel={onClose}>
				<Field
					label={words.param}
					hint={words.paramHint}
					name="custom_param"
					defaultValue={mapping?.custom_param}
					readOnly={mapping !== undefined}
					required
					maxLength={100}
					autoComplete="off"
					autoCapitalize="none"
					spellCheck={false}
					autoFocus={mapping === undefined}
					error={form.errorOf("custom_param")}
				/>
				<Select
					label={words.mapsTo}
					name="maps_to"
					defaultValue={mapping?.maps_to}
					autoFocus={mapping !== undefined}
					error={form.errorOf("maps_to")}
				>
					{targets.map((target) => (
						<option key={target} value={target}>
							{t.fields[target]}
						</option>
					))}
				</Select>
			</RecordForm>
		</Dialog>
	);
}
