"""One tiny case for every element type that an operator's schema lists, one type variable after the other.

A recipe is a function (kinds, version) -> (inputs, outputs, attributes), or None where a combination means nothing; `kinds` maps
the schema's type variables to numbers of TensorProto.DataType. Recipes make values by of() and compute in wide() numbers, or
move elements, which needs no arithmetic in any type.

    RECIPES = {"Neg": lambda kinds, version: ([x := of(kinds["T"], [1, 2])], [narrow(-wide(x), kinds["T"])], {})}
    def cases():
        yield from typed_cases(RECIPES)
"""

import numpy as np
import onnx
from case import at_version
from onnx import TensorProto, helper

COMPLEX = (TensorProto.COMPLEX64, TensorProto.COMPLEX128)
INTEGER_RANGES = {TensorProto.INT2: (-2, 1), TensorProto.UINT2: (0, 3), TensorProto.INT4: (-8, 7), TensorProto.UINT4: (0, 15), TensorProto.INT8: (-128, 127), TensorProto.UINT8: (0, 255)}
UNSIGNED = (TensorProto.UINT2, TensorProto.UINT4, TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64)
FLOATS = (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BFLOAT16)
USUAL = [TensorProto.FLOAT, TensorProto.INT64, TensorProto.INT32, TensorProto.UINT8, TensorProto.BOOL, TensorProto.STRING]


def of(kind, numbers):
    """Small numbers as an array of this element type; what the type cannot hold becomes another number that it can."""
    values = np.asarray(numbers, dtype=np.float64)
    if kind == TensorProto.STRING:
        return np.array([f"{number:g}" for number in values.ravel()], dtype=object).reshape(values.shape)
    if kind == TensorProto.BOOL:
        return values != 0
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    if kind in COMPLEX:
        return (values + 0.5j * values).astype(dtype)
    if kind == TensorProto.FLOAT8E8M0:  # powers of two only
        return np.exp2(np.abs(values) % 8).astype(dtype)
    if kind in UNSIGNED:
        values = np.abs(values)
    if kind in INTEGER_RANGES:
        low, high = INTEGER_RANGES[kind]
        values = (np.trunc(values) - low) % (high - low + 1) + low
    return values.astype(dtype)


def wide(array):
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def narrow(values, kind):
    return np.asarray(values).astype(helper.tensor_dtype_to_np_dtype(kind))


def is_float(kind):
    return kind in FLOATS


def element_types(constraint):
    """The tensor element types that a type variable allows."""
    names = [name[len("tensor(") : -1] for name in constraint.allowed_type_strs if name.startswith("tensor(")]
    return sorted(TensorProto.DataType.Value(name.upper()) for name in names)


def schemas_of(op, domain=""):
    """The newest version and the one that models of opset 13 use; of other domains every version."""
    if domain:
        schemas = onnx.defs.get_all_schemas_with_history()
        return [schema for schema in schemas if schema.name == op and schema.domain == domain and not schema.deprecated]
    newest = max((schema for schema in onnx.defs.get_all_schemas_with_history() if schema.name == op and schema.domain == "" and not schema.deprecated), key=lambda schema: schema.since_version)
    try:
        older = onnx.defs.get_schema(op, 13)
    except onnx.defs.SchemaError:
        return [newest]
    return [newest] if older.since_version == newest.since_version or older.deprecated else [newest, older]


def kinds_of(schema):
    """(variable, element type, kinds of all variables) for each type of each variable."""
    allowed = {constraint.type_param_str: element_types(constraint) for constraint in schema.type_constraints}
    allowed = {variable: kinds for variable, kinds in allowed.items() if kinds}
    usual = {variable: next((kind for kind in USUAL if kind in kinds), kinds[0]) for variable, kinds in allowed.items()}
    for variable, kinds in allowed.items():
        for kind in kinds:
            yield variable, kind, {**usual, variable: kind}


def typed_cases(recipes, domain=""):
    for op, recipe in recipes.items():
        for schema in schemas_of(op, domain):
            seen = set()
            for variable, kind, kinds in kinds_of(schema):
                key = tuple(sorted(kinds.items()))
                if key in seen:
                    continue
                seen.add(key)
                made = recipe(kinds, schema.since_version)
                if made is None:
                    continue
                inputs, outputs, attributes = made
                name = f"{op.lower()}_{schema.since_version}_{variable.lower()}_{TensorProto.DataType.Name(kind).lower()}"
                case = at_version(op, schema.since_version, inputs, outputs, name=name, domain=domain, **attributes)
                if op.startswith("Random"):
                    case.compare = "shape"
                yield case
