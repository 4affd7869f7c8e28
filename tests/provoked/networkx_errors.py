"""Tests of match on provoked errors: networkx."""

import networkx as nx
from networkx.algorithms import bipartite

from tests.provoked.rows import Rows

ROWS = Rows()


def two_islands() -> nx.Graph:
    return nx.Graph([(1, 2), (3, 4)])


@ROWS.thrown_at("networkx/classes/graph.py", "Graph.remove_node")
def node_that_is_missing() -> None:
    nx.path_graph(3).remove_node("x")


@ROWS.thrown_at("networkx/classes/graph.py", "Graph.remove_edge")
def edge_that_is_missing() -> None:
    nx.path_graph(3).remove_edge(0, 2)


@ROWS.thrown_at("networkx/classes/graph.py", "Graph.add_edges_from")
def edge_of_one_end() -> None:
    nx.Graph().add_edges_from([(1,)])


@ROWS.thrown_at("networkx/classes/graph.py", "Graph.add_edges_from")
def graph_from_a_word() -> None:
    nx.Graph("shelf")


@ROWS.thrown_at("networkx/classes/function.py", "frozen")
def frozen_graph_that_is_changed() -> None:
    nx.freeze(nx.path_graph(2)).add_node(9)


@ROWS.thrown_at("networkx/algorithms/shortest_paths/unweighted.py", "bidirectional_shortest_path")
def path_from_nowhere() -> None:
    nx.shortest_path(nx.path_graph(3), 7, 1)


@ROWS.thrown_at("networkx/algorithms/shortest_paths/unweighted.py", "_bidirectional_pred_succ")
def path_that_there_is_not() -> None:
    nx.shortest_path(two_islands(), 1, 4)


@ROWS.thrown_at("networkx/algorithms/shortest_paths/weighted.py", "_dijkstra_multisource")
def paths_with_negative_weights() -> None:
    nx.dijkstra_path(nx.Graph([(1, 2, {"weight": -3}), (2, 3, {"weight": 1})]), 1, 3)


@ROWS.thrown_at("networkx/algorithms/shortest_paths/weighted.py", "_bellman_ford")
def paths_around_a_negative_circle() -> None:
    nx.bellman_ford_path(nx.DiGraph([(1, 2, {"weight": -3}), (2, 1, {"weight": 1})]), 1, 2)


@ROWS.thrown_at("networkx/algorithms/dag.py", "topological_generations")
def order_of_a_circle() -> None:
    list(nx.topological_sort(nx.DiGraph([(1, 2), (2, 1)])))


@ROWS.thrown_at("networkx/utils/decorators.py", "not_implemented_for._not_implemented_for")
def connection_of_a_directed_graph() -> None:
    nx.is_connected(nx.DiGraph([(1, 2)]))


@ROWS.thrown_at("networkx/algorithms/components/connected.py", "is_connected")
def connection_of_nothing() -> None:
    nx.is_connected(nx.Graph())


@ROWS.thrown_at("networkx/algorithms/distance_measures.py", "eccentricity")
def diameter_of_two_islands() -> None:
    nx.diameter(two_islands())


@ROWS.thrown_at("networkx/algorithms/centrality/eigenvector.py", "eigenvector_centrality")
def iteration_that_does_not_converge() -> None:
    nx.eigenvector_centrality(nx.path_graph(5), max_iter=1)


@ROWS.thrown_at("networkx/algorithms/tree/coding.py", "to_prufer_sequence")
def code_of_what_is_no_tree() -> None:
    nx.to_prufer_sequence(nx.cycle_graph(4))


@ROWS.thrown_at("networkx/readwrite/gml.py", "parse_gml_lines.tokenize")
def file_that_is_no_gml() -> None:
    nx.parse_gml("graph [ % ]")


@ROWS.thrown_at("networkx/algorithms/bipartite/basic.py", "sets")
def sides_of_two_islands() -> None:
    bipartite.sets(two_islands())


@ROWS.thrown_at("networkx/algorithms/bipartite/basic.py", "color")
def sides_of_a_triangle() -> None:
    bipartite.color(nx.cycle_graph(3))


@ROWS.thrown_at("networkx/algorithms/cycles.py", "find_cycle")
def circle_of_a_path() -> None:
    nx.find_cycle(nx.path_graph(3))


@ROWS.thrown_at("networkx/relabel.py", "convert_node_labels_to_integers")
def labels_in_an_unknown_order() -> None:
    nx.convert_node_labels_to_integers(nx.path_graph(3), ordering="by shelf")


@ROWS.thrown_at("networkx/generators/degree_seq.py", "configuration_model")
def degrees_with_an_odd_sum() -> None:
    nx.configuration_model([1, 2])


@ROWS.thrown_at("networkx/algorithms/euler.py", "eulerian_circuit")
def circuit_that_there_is_not() -> None:
    list(nx.eulerian_circuit(nx.path_graph(3)))
