import { useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { Field } from "../../ui/field/field.tsx";

interface ZoneFieldProps {
	readonly label: string;
	readonly hint: string;
	readonly defaultValue: string;
	readonly error: string | undefined;
}

/** The field `timezone`, with all zones to choose from. */
export function ZoneField(props: ZoneFieldProps) {
	const { data: zones } = useQuery(zonesQuery);
	return (
		<div>
			<Field {...props} name="timezone" list="zones" autoComplete="off" spellCheck={false} required />
			<datalist id="zones">
				{zones?.timezones.map(({ timezone, country_name: country }) => (
					<option key={timezone} value={timezone} label={country} />
				))}
			</datalist>
		</div>
	);
}

const zonesQuery = {
	queryKey: ["GET /sites/config/timezones"],
	queryFn: ({ signal }: { signal: AbortSignal }) => call("GET /sites/config/timezones", { signal }),
	staleTime: Number.POSITIVE_INFINITY,
};
