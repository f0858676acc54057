import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { read } from "../../api/read.ts";
import { atField } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field, Select, verbatim } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import { useRecords } from "../../ui/form/use-records.ts";
import { RecordItem, type RecordRowProps } from "../../ui/items/record-actions.tsx";
import { type Site, usePanel } from "../site/index.ts";
import { ListCard } from "./list-card.tsx";
import { t } from "./texts.ts";

const words = t.parameters;

type Mapping = Answer<"GET /sites/{id}/utm-mappings">["mappings"][number];
type Fields = Pick<Mapping, "custom_param" | "maps_to"> & { readonly is_active?: boolean };
const targets = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

const mappingsQuery = (id: string) => read("GET /sites/{id}/utm-mappings", { path: { id } });

const taken = atField({ duplicate_entry: ["custom_param", words.taken] });

function useMappings(id: string) {
	const write = ({ id: mapping_id }: Mapping, { custom_param: _, ...body }: Partial<Fields>) =>
		call("PATCH /sites/{id}/utm-mappings/{mapping_id}", { path: { id, mapping_id }, body });
	return useRecords<Mapping, Fields>({
		stale: ["GET /sites/{id}/utm-mappings"],
		create: async ({ is_active, ...body }) => {
			const mapping = await call("POST /sites/{id}/utm-mappings", { path: { id }, body }).catch(taken);
			return is_active === false ? write(mapping, { is_active }) : mapping;
		},
		write,
		// Parameters may hold a slash, so that they stand in the query, not in the path.
		drop: ({ custom_param }) => call("DELETE /sites/{id}/utm-mappings", { path: { id }, query: { custom_param } }),
		fieldsOf: ({ custom_param, maps_to, is_active }) => ({ custom_param, maps_to, is_active }),
		added: ({ custom_param: param }) => words.added(param),
		changed: ({ custom_param: param }) => words.changed(param),
		removed: ({ custom_param: param }) => words.removed(param),
	});
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
						row={mapping}
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

const Row = (props: RecordRowProps<Mapping> & { readonly site: Site }) => (
	<RecordItem
		{...props}
		name={props.row.custom_param}
		facts={words.fact(t.fields[props.row.maps_to])}
		changes={useMappings(props.site.id)}
	/>
);

interface MappingDialogProps {
	readonly site: Site;
	readonly mapping?: Mapping;
	readonly onClose: () => void;
}

function MappingDialog({ site, mapping, onClose }: MappingDialogProps) {
	const { add, change } = useMappings(site.id);
	const form = useForm(
		async (values) => {
			const maps_to = targets.find((target) => target === textOf(values, "maps_to")) ?? "utm_source";
			if (mapping === undefined) await add.mutateAsync({ custom_param: textOf(values, "custom_param"), maps_to });
			else await change.mutateAsync({ row: mapping, to: { maps_to } });
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
					{...verbatim}
					autoFocus={mapping === undefined}
				/>
				<Select label={words.mapsTo} name="maps_to" defaultValue={mapping?.maps_to} autoFocus={mapping !== undefined}>
					<Options of={targets} text={(target) => t.fields[target]} />
				</Select>
			</RecordForm>
		</Dialog>
	);
}
