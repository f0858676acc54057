import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "../../ui/button/button.tsx";

interface StepButtonProps {
	readonly by: 1 | -1;
	readonly name: string;
	readonly isOpen: boolean;
	readonly onStep: () => void;
}

/** Leads to the period or month before or after. */
export function StepButton({ by, name, isOpen, onStep }: StepButtonProps) {
	const Icon = by === 1 ? ChevronRight : ChevronLeft;
	return (
		<Button look="quiet" icon aria-label={name} title={name} disabled={!isOpen} onClick={onStep}>
			<Icon size={18} aria-hidden="true" />
		</Button>
	);
}
