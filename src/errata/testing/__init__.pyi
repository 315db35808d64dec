from errata.testing.laws import LAWS as LAWS
from errata.testing.laws import BrokenLawError as BrokenLawError
from errata.testing.laws import DoesNotApply as DoesNotApply
from errata.testing.laws import Law as Law
from errata.testing.laws import check_metric as check_metric
from errata.testing.samples import sample_corpora as sample_corpora
from errata.testing.samples import sample_systems as sample_systems
from errata.testing.samples import variants as variants
