"""No module of live, talk and bargain imports itself through others, even in functions or for types."""

import grimp


def test_no_module_is_in_a_circle_of_imports():
    graph = grimp.build_graph("tavola", exclude_type_checking_imports=False)
    own = [module for module in graph.modules if module.split(".")[1:2] in (["live"], ["talk"], ["bargain"])]
    circles = {
        module: graph.find_modules_directly_imported_by(module) & graph.find_downstream_modules(module)
        for module in own
    }
    assert {module: imported for module, imported in circles.items() if imported} == {}
