"""The methods of the Web API by family; `table` names them all with what each needs."""
