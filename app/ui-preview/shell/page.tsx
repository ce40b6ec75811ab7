import { Kit } from "../kit";
export default function P() { return <Kit />; }
